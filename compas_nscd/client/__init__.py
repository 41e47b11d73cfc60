"""The client of the engine: requests, jobs, and the process that computes."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "CheckRequest": "requests",
        "DynamicRequest": "dynamic_request",
        "Engine": "engine",
        "ForceRangeRequest": "force_range_request",
        "Job": "job",
        "LimitRequest": "limit_request",
        "ModesRequest": "elastic_requests",
        "QuasistaticRequest": "quasistatic_request",
        "Request": "requests",
        "Stage": "stages",
        "StageResult": "stages",
        "StaticRequest": "requests",
        "SubmodelRequest": "elastic_requests",
        "run_stages": "stages",
    },
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from compas_nscd.client.dynamic_request import DynamicRequest as DynamicRequest
    from compas_nscd.client.elastic_requests import ModesRequest as ModesRequest
    from compas_nscd.client.elastic_requests import SubmodelRequest as SubmodelRequest
    from compas_nscd.client.engine import Engine as Engine
    from compas_nscd.client.force_range_request import ForceRangeRequest as ForceRangeRequest
    from compas_nscd.client.job import Job as Job
    from compas_nscd.client.limit_request import LimitRequest as LimitRequest
    from compas_nscd.client.quasistatic_request import QuasistaticRequest as QuasistaticRequest
    from compas_nscd.client.requests import CheckRequest as CheckRequest
    from compas_nscd.client.requests import Request as Request
    from compas_nscd.client.requests import StaticRequest as StaticRequest
    from compas_nscd.client.stages import Stage as Stage
    from compas_nscd.client.stages import StageResult as StageResult
    from compas_nscd.client.stages import run_stages as run_stages
